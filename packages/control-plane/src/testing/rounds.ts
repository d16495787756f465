import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `npm run gates -- rounds`. */
    triesAll: boolean
  }
}

/** How much a random or exhaustive test tries: a sample in `npm test`, all of it in `npm run gates -- rounds`. */
export const rounds = ({ sample, all }: { sample: number; all: number }): number =>
  inject('triesAll') ? all : sample
