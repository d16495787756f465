import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { opQuery } from '#/data/queries.ts'

export type SecondFactors = OutputOf<'secondFactorView'>
export type Passkey = SecondFactors['passkeys'][number]

export const mySecondFactors = opQuery(op.secondFactorView, {})
export const siloSecondFactor = opQuery(op.secondFactorSettingsView, {})
export const secondFactorsOf = (userId: string) => opQuery(op.userSecondFactorView, { path: { userId } })

/** False where the server does not support them, and for users of an identity provider. */
export function useHasSecondFactors(): boolean {
  const { data } = useQuery(mySecondFactors)
  return data !== undefined && data.kinds.length > 0
}

/** Whether there is a factor that recovery codes can replace. */
export const hasFactor = ({ passkeys, totp }: SecondFactors): boolean => passkeys.length > 0 || totp !== null

/** Why the last factor cannot be removed; undefined if it can. */
export function whyNotRemove({ passkeys, totp, isRequired }: SecondFactors): string | undefined {
  const isLast = passkeys.length + (totp ? 1 : 0) === 1
  return isRequired && isLast ? 'Your silo requires a second factor. Set up another one first.' : undefined
}
