import { createStore } from '#/store.ts'
import type { Issued } from './queries.ts'

/**
 * One-time passwords that the operator has not seen yet. Each is shown only once, so an operator who leaves the form while
 * it is created must not lose it.
 */
export const unseenPasswords = createStore<readonly Issued[]>([])

export const showPassword = (issued: Issued): void => unseenPasswords.set([...unseenPasswords.get(), issued])
export const passwordSeen = (): void => unseenPasswords.set(unseenPasswords.get().slice(1))
