import { type Dated, without } from '../dated.ts'

export const readOnlyDisks: Dated = { version: 2026013001, types: { Disk: without('read_only') } }
