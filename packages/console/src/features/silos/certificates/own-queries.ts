import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

/** A certificate of the signed-in user's silo, whose facts the browser reads from its chain. */
export type OwnCertificate = OutputOf<'certificateView'>

export const ownCertificates = listQuery(op.certificateList, {})
export const ownCertificate = (certificate: string) => opQuery(op.certificateView, { path: { certificate } })
