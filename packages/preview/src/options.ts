import { people } from './people.ts'

/** What a link, a test or the menu of the banner chooses; as text, alike in an address and in a cookie. */
export interface Choices {
  /** Who is signed in; empty where somebody signed out. */
  user: string
  /** Whether calls wait for as long as a network might take. */
  delay: 'off' | 'on'
  /** Percentage of calls that fail. */
  chaos: number
  /** Alike for every page that is to see the same calls fail; empty for one that sees its own. */
  seed: string
}

// No delay and no errors unless asked for: both are there to try the console's patience, and without them it is quick.
const atFirst: Choices = { user: people[0].name, delay: 'off', chaos: 0, seed: '' }

/** What cannot be read counts as not chosen. */
const readers: { [Name in keyof Choices]: (text: string) => Choices[Name] | undefined } = {
  user: String,
  delay: (text) => (text === 'on' || text === 'off' ? text : undefined),
  chaos: (text) => (/^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : undefined),
  seed: String,
}
const names = Object.keys(readers) as (keyof Choices)[]

/** As in `?preview-user=viewer`, and in a cookie of that name. */
const keyOf = (name: keyof Choices): string => `preview-${name}`

/** Where choices outlive the page: cookies, in which a test can set them before there is a page. */
export interface Shelf {
  get: (key: string) => string | undefined
  set: (key: string, text: string) => void
}

/** The choices of this page. What its address says wins, and is kept from then on. */
export class Options {
  readonly #shelf: Shelf
  readonly #listeners = new Set<() => void>()
  #choices: Choices

  constructor(shelf: Shelf, address: URLSearchParams) {
    this.#shelf = shelf
    const choice = <Name extends keyof Choices>(name: Name): Choices[Name] => {
      const text = address.get(keyOf(name)) ?? shelf.get(keyOf(name))
      return (text === undefined ? undefined : readers[name](text)) ?? atFirst[name]
    }
    this.#choices = {
      user: choice('user'),
      delay: choice('delay'),
      chaos: choice('chaos'),
      seed: choice('seed'),
    }
    for (const name of names) if (address.has(keyOf(name))) this.#keep(name)
  }

  current = (): Choices => this.#choices

  choose(change: Partial<Choices>): void {
    this.#choices = { ...this.#choices, ...change }
    for (const name of names) if (name in change) this.#keep(name)
    for (const listener of this.#listeners) listener()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #keep(name: keyof Choices): void {
    this.#shelf.set(keyOf(name), String(this.#choices[name]))
  }
}

/** The address without the choices in it, which are read once. */
export function withoutChoices(address: URL): URL {
  const rest = new URL(address)
  for (const name of names) rest.searchParams.delete(keyOf(name))
  return rest
}
