import { Refusal } from '../kernel/refusal.ts'

/** Where a query cannot be read, counted from 1, and what would have been accepted there. */
export interface Place {
  line: number
  column: number
  found: string
  expected: readonly string[]
}

/** A query that is refused; the words are those of the reference, part B, sections 20.7 to 20.11. */
export class OxqlError extends Refusal {
  constructor(
    message: string,
    readonly place?: Place,
    help?: string,
  ) {
    super('InvalidRequest', message, { ...(help && { help }), ...(place && { details: { ...place } }) })
    this.name = 'OxqlError'
  }
}
