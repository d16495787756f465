// @chunk silos: of a silo's tab and of its form, and of no other details.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '#/data/queries.ts'
import { originHere } from '../host.ts'

export type SamlProvider = OutputOf<'samlIdentityProviderView'>
export type Metadata = OutputOf<'samlMetadataCheck'>
export type SignInTest = OutputOf<'samlSignInTestView'>
export type Accepted = Extract<NonNullable<SignInTest['result']>, { outcome: 'accepted' }>

export const samlProvider = (silo: string, provider: string) =>
  opQuery(op.samlIdentityProviderView, { path: { provider }, query: { silo } })
/** The address at which a silo's users reach the server; servers without extensions do not tell. */
export const acsOrigin = (silo: string) =>
  opQuery(op.samlAcsOriginView, { query: { silo } }, async () => ({
    data: { origin: originHere(location, silo) },
    etag: undefined,
  }))
export const providerDependents = (id: string) =>
  opQuery(op.samlProviderDependentsView, { path: { provider: id }, query: {} })
export const signInTest = (testId: string) => opQuery(op.samlSignInTestView, { path: { testId } })
