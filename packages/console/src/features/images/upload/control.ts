import { createGate } from './gate.ts'

/** What a person can do to something that runs: pause it, let it go on, cancel it. */
export class Control {
  readonly #abort = new AbortController()
  #gate: ReturnType<typeof createGate> | undefined

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  pause(): void {
    this.#gate ??= createGate()
  }

  resume(): void {
    this.#gate?.open()
    this.#gate = undefined
  }

  cancel(): void {
    this.#abort.abort(new Error('cancelled'))
    this.resume()
  }

  /** Waits for as long as it is paused; throws once it is cancelled. */
  async ready(): Promise<void> {
    while (this.#gate) await this.#gate.opened
    this.signal.throwIfAborted()
  }
}
