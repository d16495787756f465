/** Callbacks of a running upload. */
export interface FlowRun {
  control: Control
  /** Runs the step with this index; its state follows from the result. */
  step: <Result>(index: number, work: () => Promise<Result>) => Promise<Result>
  /** Bytes processed so far, whether sent or skipped. */
  progress: (bytes: number) => void
  /** How much the server has converted, in percent. */
  converted: (percent: number) => void
  /** Whether the server is unreachable at the moment. */
  waiting: (isWaiting: boolean) => void
}

/** An upload method. */
export interface Flow {
  /** Labels of the steps; the last is the successful end and does nothing. */
  labels: readonly string[]
  /** The step that transfers the bytes. */
  bytesStep: number
  /** The step in which the server converts the file, if it does. */
  convertStep?: number
  /** The step from which on it cannot be cancelled, if any. */
  finalStep?: number
  /** It can be paused, and retried after a failure without sending everything again. */
  isResumable: boolean
  /** The id of the resumable upload on the server, once it exists. */
  uploadId: () => string | undefined
  run: (cx: FlowRun) => Promise<void>
  /** Deletes the objects created so far. If that fails, `describeLeftover` names the rest. */
  cleanUp: () => Promise<void>
  describeLeftover: () => string
}

/** The user's controls for a running task: pause, resume, cancel. */
export class Control {
  readonly #abort = new AbortController()
  #paused: ReturnType<typeof deferred> | undefined

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  pause(): void {
    this.#paused ??= deferred()
  }

  resume(): void {
    this.#paused?.resolve()
    this.#paused = undefined
  }

  cancel(): void {
    this.#abort.abort(new Error('cancelled'))
    this.resume()
  }

  /** Waits while paused; throws once cancelled. */
  async ready(): Promise<void> {
    while (this.#paused) await this.#paused.promise
    this.signal.throwIfAborted()
  }
}

/** A promise with the function that resolves it. */
export function deferred() {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
