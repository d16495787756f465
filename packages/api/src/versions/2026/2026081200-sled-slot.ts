import { type Dated, without } from '../dated.ts'

export const sledSlot: Dated = { version: 2026081200, types: { Sled: without('slot') } }
