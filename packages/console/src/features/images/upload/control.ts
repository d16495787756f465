import { createGate } from './gate.ts'

/** The user's controls for a running task: pause, resume, cancel. */
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

  /** Waits while paused; throws once cancelled. */
  async ready(): Promise<void> {
    while (this.#gate) await this.#gate.opened
    this.signal.throwIfAborted()
  }
}
