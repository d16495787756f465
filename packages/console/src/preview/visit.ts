import { createStore } from '#/store.ts'

/** Counts the switches of user: state kept for one user must not reach the next. */
export const visits = createStore(0)
