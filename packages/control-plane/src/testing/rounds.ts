import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `npm run gates -- rounds`. */
    triesAll: boolean
  }
}

/** How much a random or exhaustive test tries: a sample in `npm test`, all of it in `npm run gates -- rounds`. */
export const rounds = <Tried>({ sample, all }: { sample: Tried; all: Tried }): Tried =>
  inject('triesAll') ? all : sample
