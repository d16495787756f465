import { createStore } from '#/store.ts'
import type { Issued } from './queries.ts'

/**
 * The one-time password that was created last, until the operator has seen it. It is shown only once, so an operator who
 * leaves the form while it is created must not lose it.
 */
export const issuedPassword = createStore<Issued | undefined>(undefined)
