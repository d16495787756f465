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

/** The option for a whole label that was typed without selecting, on blur: the box must mean what it shows. */
export function optionLeft(options: readonly ComboboxOption[], typed: string, value: string) {
  const matches = options.filter(({ label, disabled }) => !disabled && plain(label) === plain(typed))
  return matches.some((option) => option.value === value) ? undefined : matches[0]
}

export const exactOption = (options: readonly ComboboxOption[], text: string) =>
  options.find(({ label }) => plain(label) === plain(text))
