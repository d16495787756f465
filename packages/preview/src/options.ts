import { people } from './people.ts'

/** Choices made by a link, a test or the banner's menu; as text, the same in a URL and in a cookie. */
export interface Choices {
  /** The signed-in user; empty after signing out. */
  user: string
  /** Whether calls are delayed like on a network. */
  delay: 'off' | 'on'
  /** Percentage of calls that fail. */
  chaos: number
  /** Pages with the same seed see the same calls fail; empty for a random seed. */
  seed: string
}

// By default no delay and no errors: both exist to test the console under trouble, and it is fast without
// them.
const atFirst: Choices = { user: people[0].name, delay: 'off', chaos: 0, seed: '' }

/** Unreadable values are ignored. */
const readers: { [Name in keyof Choices]: (text: string) => Choices[Name] | undefined } = {
  user: String,
  delay: (text) => (text === 'on' || text === 'off' ? text : undefined),
  chaos: (text) => (/^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : undefined),
  seed: String,
}
const names = Object.keys(readers) as (keyof Choices)[]

/** As in `?preview-user=viewer`, and in a cookie of that name. */
const keyOf = (name: keyof Choices): string => `preview-${name}`

/** Where choices outlive the page: cookies, which a test can set before the page exists. */
export interface ChoiceStore {
  get: (key: string) => string | undefined
  set: (key: string, text: string) => void
}

/** The choices of this page. Its URL takes precedence, and is stored from then on. */
export class Options {
  readonly #shelf: ChoiceStore
  readonly #listeners = new Set<() => void>()
  #choices: Choices

  constructor(shelf: ChoiceStore, address: URLSearchParams) {
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

/** The URL without the choices in it, which are read once. */
export function withoutChoices(address: URL): URL {
  const rest = new URL(address)
  for (const name of names) rest.searchParams.delete(keyOf(name))
  return rest
}
