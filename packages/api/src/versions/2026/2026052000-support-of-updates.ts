import { type Dated, without } from '../dated.ts'

export const supportOfUpdates: Dated = {
  version: 2026052000,
  types: { UpdateStatus: without('contact_support') },
}
