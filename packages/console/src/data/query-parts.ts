/*
 * Stand in for parts of the query cache that the console does not use (vite.config.ts) and that would be 2 kB of every
 * first load: changes go through `useOp`, and lists have pages. The linter keeps `useMutation` and infinite queries out.
 */

export class MutationCache {
  findAll = (): unknown[] => []
  resumePausedMutations = (): Promise<void> => Promise.resolve()
  clear = (): void => undefined
}

export function infiniteQueryBehavior(): never {
  throw new Error('Lists have pages here')
}
