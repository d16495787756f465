import { Refusal } from '../context/refusal.ts'

/** The position of a syntax error, counted from 1, and what the parser expected there. */
export interface ErrorPosition {
  line: number
  column: number
  found: string
  expected: readonly string[]
}

/** A refused query, with the messages of the reference, part B, sections 20.7 to 20.11. */
export class OxqlError extends Refusal {
  constructor(
    message: string,
    readonly position?: ErrorPosition,
    help?: string,
  ) {
    super('InvalidRequest', message, { ...(help && { help }), ...(position && { details: { ...position } }) })
    this.name = 'OxqlError'
  }
}
