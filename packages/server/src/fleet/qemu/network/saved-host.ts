import path from 'node:path'
import { z } from 'zod'
import { readIfThere, writeDurably } from '../host/durable-file.ts'

const savedSchema = z.object({
  base: z.int(),
  /** The external interface, unless none is set or an earlier version wrote this. */
  interface: z.string().optional(),
  /** Addresses that may be answered for on it. */
  proxied: z.array(z.string()),
  /** Interfaces that did not forward packets before, since the host started. */
  forwarded: z.array(z.string()).default([]),
})
type Saved = z.infer<typeof savedSchema>

/** The state of the host that a restart needs. */
export class SavedHost {
  readonly #folder: string
  #state: Saved

  constructor(folder: string, state: Saved) {
    this.#folder = folder
    this.#state = state
  }

  get state(): Readonly<Saved> {
    return this.#state
  }

  async save(changed: Partial<Saved>): Promise<void> {
    this.#state = { ...this.#state, ...changed }
    await writeDurably(fileIn(this.#folder), JSON.stringify(this.#state))
  }
}

const fileIn = (folder: string): string => path.join(folder, 'host.json')

/** What an installation has saved about the host, in this folder. */
export async function savedOnHost(folder: string): Promise<Saved | undefined> {
  const file = fileIn(folder)
  const text = await readIfThere(file)
  try {
    return text === undefined ? undefined : savedSchema.parse(JSON.parse(text))
  } catch (cause) {
    // Without it the addresses that the host answers for are unknown, and it would answer for them for ever.
    throw new Error(
      `${file} is damaged. Restore it; or shut the machines down, remove what it is about by \`gantry fleet clean\`, ` +
        'and then the file.',
      { cause },
    )
  }
}
