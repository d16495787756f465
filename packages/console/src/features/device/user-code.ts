import { userCodeLength } from '@gantry/api/device.rules'

/** What stands in each box: a letter in upper case, or nothing. */
export type Boxes = readonly string[]

const noLetters: Boxes = Array.from({ length: userCodeLength }, () => '')

const lettersOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')

/** The boxes as a code fills them, from the first on. */
export const boxesOf = (code: string): Boxes => spread(noLetters, 0, code).boxes

/** Puts the letters of a text into the boxes from one on, and says which box is next; what is no letter is left out. */
export function spread(boxes: Boxes, from: number, text: string): { boxes: Boxes; next: number } {
  const letters = lettersOf(text)
  const next = Math.min(from + letters.length, userCodeLength)
  return { boxes: boxes.map((box, index) => (index < from ? box : (letters[index - from] ?? box))), next }
}

/** A whole code goes where it belongs, wherever it was pasted, and any other into empty boxes from the first on. */
export function paste(boxes: Boxes, at: number, text: string): { boxes: Boxes; next: number } {
  const isWhole = lettersOf(text).length >= userCodeLength
  return spread(boxes, isWhole || boxes.every((box) => box === '') ? 0 : at, text)
}

/** What a box with this letter was given, when the browser says that its text is now this. */
export const typedInto = (box: string, text: string): string =>
  box && text.length > 1 ? text.replace(new RegExp(box, 'i'), '') : text
