import type { FactorKind, SecondStepKind } from '@gantry/api/second-factor.rules'

/** What follows the right password: one of several factors, or setting up the first. */
export type NextStep =
  | { does: 'show'; kinds: readonly SecondStepKind[] }
  | { does: 'set up'; kinds: readonly FactorKind[] }

/** What a refusal of the password tells of what follows it; servers without second factors tell nothing. */
export function nextStepIn(body: object): NextStep | undefined {
  const { second_factor: shown, second_factor_set_up: made } = detailsOf(body)
  if (Array.isArray(shown)) return { does: 'show', kinds: shown as SecondStepKind[] }
  return Array.isArray(made) ? { does: 'set up', kinds: made as FactorKind[] } : undefined
}

const detailsOf = (body: object): Record<string, unknown> =>
  'details' in body && typeof body.details === 'object' ? { ...body.details } : {}
