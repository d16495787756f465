import { type Dated, undescribed } from '../dated.ts'

export const joules: Dated = { version: 2026042900, types: { Units: undescribed('joules') } }
