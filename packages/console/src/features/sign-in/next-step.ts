import type { FactorKind, SecondStepKind } from '@gantry/api/second-factor.rules'

/** The step after a correct password: one of several factors, setting up the first one, or a new password. */
export type NextStep =
  | { does: 'show'; kinds: readonly SecondStepKind[] }
  | { does: 'set up'; kinds: readonly FactorKind[] }
  | { does: 'replace' }

/** The next step in a refusal of the password. Servers without second factors name none. */
export function nextStepIn(body: object): NextStep | undefined {
  const { second_factor: shown, second_factor_set_up: made, new_password: replaced } = detailsOf(body)
  if (Array.isArray(shown)) return { does: 'show', kinds: shown as SecondStepKind[] }
  if (Array.isArray(made)) return { does: 'set up', kinds: made as FactorKind[] }
  return replaced === true ? { does: 'replace' } : undefined
}

const detailsOf = (body: object): Record<string, unknown> =>
  'details' in body && typeof body.details === 'object' ? { ...body.details } : {}
