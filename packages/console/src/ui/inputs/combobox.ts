export type ComboboxOption = {
  value: string
  label: string
  /** The closed box's text for a selected option, if longer than the label. */
  selectedLabel?: string
  /** A second line, dimmed. */
  detail?: string
  disabled?: boolean
}

/** More than anyone reads; typing finds the rest. Keeps a list of thousands fast. */
export const MAX_SHOWN = 100

const plain = (text: string) => text.toLowerCase().replace(/\s/g, '')

/** The options whose label contains the query, ignoring case and spaces, in their own order. */
export function filterOptions(options: readonly ComboboxOption[], query: string) {
  const wanted = plain(query)
  return wanted === '' ? options : options.filter(({ label }) => plain(label).includes(wanted))
}

type Box = {
  options: readonly ComboboxOption[]
  value: string
  /** Undefined if nothing was typed since the last selection. */
  typed: string | undefined
  allowsCustom: boolean | undefined
}

/**
 * The options to offer, how many more match, and the index of the marked one until an arrow key moves it: the option that
 * the text in the box names, so that Enter and Tab do not replace it by another; -1 if none of them is the value.
 */
export function offerOf({ options, value, typed, allowsCustom }: Box) {
  const selected = options.find((option) => option.value === value)
  // A custom value finds the options that its text found when it was typed.
  const query = typed ?? (allowsCustom && !selected ? value : '')
  const found = filterOptions(options, query)
  const exact = exactOption(options, query)
  const custom =
    allowsCustom && query.trim() && !exact ? { value: query, label: `Custom: ${query}` } : undefined
  const meant = typed === undefined ? (selected ?? custom) : exact
  const offered = found.slice(0, MAX_SHOWN)
  if (meant && found.indexOf(meant) >= MAX_SHOWN) offered[MAX_SHOWN - 1] = meant
  if (custom) offered.push(custom)
  const otherwise = typed === undefined && value !== '' ? -1 : 0
  return {
    offered,
    more: found.length - MAX_SHOWN,
    marked: meant ? offered.indexOf(meant) : otherwise,
  }
}

/** The option for a whole label that was typed without selecting, on blur: the box must mean what it shows. */
export function optionLeft(options: readonly ComboboxOption[], typed: string, value: string) {
  const matches = options.filter(({ label, disabled }) => !disabled && plain(label) === plain(typed))
  return matches.some((option) => option.value === value) ? undefined : matches[0]
}

export const exactOption = (options: readonly ComboboxOption[], text: string) =>
  options.find(({ label }) => plain(label) === plain(text))
