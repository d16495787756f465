export type ComboboxOption = {
  value: string
  label: string
  /** What the closed box shows once it is chosen, where that is more than the label. */
  chosenLabel?: string
  /** A second line, dimmer. */
  detail?: string
  disabled?: boolean
}

/** As many as anyone reads; the rest is found by typing. Keeps a list of thousands as quick as a short one. */
export const MAX_SHOWN = 100

const plain = (text: string) => text.toLowerCase().replace(/\s/g, '')

/** The options whose label contains the query, case and spaces aside, in their own order. */
export function filterOptions(options: readonly ComboboxOption[], query: string) {
  const wanted = plain(query)
  return wanted === '' ? options : options.filter(({ label }) => plain(label).includes(wanted))
}

/** What is taken where a whole label was typed and none chosen, when one goes on: what the box shows is meant. */
export function optionLeft(options: readonly ComboboxOption[], typed: string, value: string) {
  const meant = options.filter(({ label, disabled }) => !disabled && plain(label) === plain(typed))
  return meant.some((option) => option.value === value) ? undefined : meant[0]
}

export const exactOption = (options: readonly ComboboxOption[], text: string) =>
  options.find(({ label }) => plain(label) === plain(text))
