import { userCodeLength } from '@gantry/api/people/device.rules'
import type { Failure } from '#/data/failure.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'

/** The contents of each box: an upper case letter, or nothing. */
export type Boxes = readonly string[]

const noLetters: Boxes = Array.from({ length: userCodeLength }, () => '')

const lettersOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')

/** Fills the boxes with a code, from the first one on. */
export const boxesOf = (code: string): Boxes => spread(noLetters, 0, code).boxes

/** Puts the letters of a text into the boxes from an index on, ignoring other characters, and returns the next box. */
export function spread(boxes: Boxes, from: number, text: string): { boxes: Boxes; next: number } {
  const letters = lettersOf(text)
  const next = Math.min(from + letters.length, userCodeLength)
  return { boxes: boxes.map((box, index) => (index < from ? box : (letters[index - from] ?? box))), next }
}

/** A complete code fills all boxes, wherever it is pasted. A partial one fills empty boxes from the first one on. */
export function paste(boxes: Boxes, at: number, text: string): { boxes: Boxes; next: number } {
  const isWhole = lettersOf(text).length >= userCodeLength
  return spread(boxes, isWhole || boxes.every((box) => box === '') ? 0 : at, text)
}

/** The character typed into a box, given its old letter and the text the browser now reports. */
export const typedInto = (box: string, text: string): string =>
  box && text.length > 1 ? text.replace(new RegExp(box, 'i'), '') : text

/** Whether the server rejected the code itself, and not the rate of attempts or the connection. */
export const isInvalidCode = ({ statusCode }: Pick<Failure, 'statusCode'>): boolean =>
  statusCode >= 400 && statusCode < 500 && statusCode !== 429

export function problemText({ failure }: { failure: Failure }): string {
  if (isInvalidCode(failure)) return 'Code is invalid'
  return failure.statusCode === 429 ? 'Too many attempts.' : failureText(failure)
}
