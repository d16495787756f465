import { kindNouns } from './kind.gen.ts'

/** A kind in words: `floating IP`. */
export const kindNoun = (kind: string): string => kindNouns[kind] ?? kind.replaceAll('-', ' ')
