import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '#/data/queries.ts'

export type SamlProvider = OutputOf<'samlIdentityProviderView'>
export type Metadata = OutputOf<'samlMetadataCheck'>
export type SignInTest = OutputOf<'samlSignInTestView'>
export type Accepted = Extract<NonNullable<SignInTest['result']>, { outcome: 'accepted' }>

export const samlProvider = (silo: string, provider: string) =>
  opQuery(op.samlIdentityProviderView, { path: { provider }, query: { silo } })
export const signInTest = (testId: string) => opQuery(op.samlSignInTestView, { path: { testId } })
