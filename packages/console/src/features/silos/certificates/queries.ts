import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery } from '#/data/queries.ts'
import { siloAt } from '../queries.ts'

export type Certificate = OutputOf<'siloCertificateList'>['items'][number]

export const certificatesOf = (silo: string) =>
  listQuery(op.siloCertificateList, { ...siloAt(silo), query: {} })
