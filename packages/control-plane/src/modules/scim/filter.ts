import { ScimRefusal } from '../../pipeline/scim.ts'
import { attributeName } from './attributes.ts'

/** What a list is narrowed to: the resources whose attribute has this value. */
export interface Filter<Attribute extends string> {
  attribute: Attribute
  value: string
}

const filterMax = 2048
const equals = /^\s*([\w$:.-]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i

/** Reads a filter `attribute eq "value"`; others are refused with those that are known. */
export function readFilter<Attribute extends string>(
  text: string,
  attributes: Readonly<Record<string, Attribute>>,
): Filter<Attribute> {
  const [, name, quoted] = (text.length <= filterMax && equals.exec(text)) || []
  const known = name === undefined ? '' : attributeName(name)
  const attribute = Object.hasOwn(attributes, known) ? attributes[known] : undefined
  const value = quoted === undefined ? undefined : unquoted(quoted)
  if (attribute === undefined || value === undefined)
    throw new ScimRefusal(
      400,
      'invalidFilter',
      `This filter is not supported. Send one of: ${Object.values(attributes)
        .map((each) => `${each} eq "value"`)
        .join(', ')}.`,
    )
  return { attribute, value }
}

/** The string between quotes, which are those of JSON; undefined if it is none, or cannot be stored. */
export function unquoted(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted)
    return typeof value === 'string' && !value.includes('\0') ? value : undefined
  } catch {
    return undefined
  }
}
