import { asFailure, type Failure } from '#/data/failure.ts'
import { createStore, type Store } from '#/store.ts'
import { Control, type Flow, type FlowRun } from './flow.ts'
import { createPace, type Pace } from './progress.ts'

export type StepState = 'ready' | 'running' | 'complete' | 'error'

/**
 * `waiting`: the server is unreachable, and the upload resumes automatically. `cleaning`: created objects are being
 * deleted.
 */
export type Phase = 'running' | 'paused' | 'waiting' | 'cleaning' | 'failed' | 'cancelled' | 'done'

export const phaseWords: Record<Phase, string> = {
  running: 'Uploading',
  paused: 'Paused:',
  waiting: 'Waiting for the server:',
  cleaning: 'Cleaning up:',
  failed: 'Failed:',
  cancelled: 'Cancelled:',
  done: 'Uploaded',
}

export interface TaskState {
  phase: Phase
  steps: readonly StepState[]
  bytes: number
  /** How much the server has converted, in percent; undefined unless it is converting. */
  converted: number | undefined
  pace: Pace | undefined
  failure: Failure | undefined
  /** Why the created objects could not be deleted. */
  leftover: Failure | undefined
}

export interface About {
  project: string
  /** The name of the new image. */
  name: string
  fileName: string
  size: number
}

const isActive = (phase: Phase): boolean => phase === 'running' || phase === 'paused' || phase === 'waiting'

/** One upload, independent of any screen: it continues while the user navigates. */
export class UploadTask {
  readonly about: About
  readonly flow: Flow
  readonly #pace
  #control = new Control()
  #running: Promise<void> = Promise.resolve()
  readonly #states: Store<TaskState>

  constructor(about: About, flow: Flow, now: () => number = () => performance.now()) {
    this.about = about
    this.flow = flow
    this.#pace = createPace(about.size, now)
    this.#states = createStore(this.#fresh())
  }

  state = (): TaskState => this.#states.get()

  subscribe = (listener: () => void): (() => void) => this.#states.subscribe(listener)

  /** Starts or retries the upload; resolves when it ends, in success or failure. */
  start(): Promise<void> {
    this.#control = new Control()
    this.#set(this.#fresh())
    this.#running = this.#run(this.#control)
    return this.#running
  }

  /** Resolves when all work has ended, including cleanup. */
  ended = (): Promise<void> => this.#running

  /** Whether closing the page now would interrupt the upload. */
  isBusy(): boolean {
    return isActive(this.#states.get().phase) || this.#states.get().phase === 'cleaning'
  }

  /** Why it cannot be cancelled; undefined if it can. */
  whyNotCancel(): string | undefined {
    const { finalStep } = this.flow
    // Between two of the last steps, too.
    const isFinal =
      finalStep !== undefined &&
      this.#states
        .get()
        .steps.slice(finalStep)
        .some((step) => step !== 'ready')
    return isFinal ? 'The image is being created and will appear in a moment' : undefined
  }

  pause(): void {
    if (this.#states.get().phase !== 'running') return
    this.#control.pause()
    this.#pace.restart()
    this.#set({ phase: 'paused', pace: undefined })
  }

  resume(): void {
    if (this.#states.get().phase !== 'paused') return
    this.#set({ phase: 'running' })
    this.#control.resume()
  }

  /** Cancels it if possible and deletes the created objects; resolves when done. */
  async cancel(): Promise<void> {
    if (!isActive(this.#states.get().phase) || this.whyNotCancel()) return
    this.#control.cancel()
    this.#set({ phase: 'cleaning', pace: undefined })
    await this.#running
  }

  /** Retries the cleanup. */
  async cleanUp(): Promise<void> {
    this.#set({ leftover: undefined })
    await this.flow.cleanUp().catch((error: unknown) => this.#set({ leftover: asFailure(error) }))
  }

  async #run(control: Control): Promise<void> {
    try {
      await this.flow.run(this.#flowRun(control))
      this.#set({ phase: 'done', bytes: this.about.size, pace: undefined, steps: this.#all('complete') })
    } catch (error) {
      if (control.signal.aborted) {
        await this.cleanUp()
        this.#set({ ...this.#fresh(), phase: 'cancelled', leftover: this.#states.get().leftover })
        return
      }
      this.#set({ failure: asFailure(error), pace: undefined })
      if (!this.flow.isResumable) {
        this.#set({ phase: 'cleaning' })
        await this.cleanUp()
      }
      this.#set({ phase: 'failed' })
    }
  }

  #flowRun(control: Control): FlowRun {
    return {
      control,
      step: async (index, work) => {
        await control.ready()
        this.#step(index, 'running')
        try {
          const result = await work()
          control.signal.throwIfAborted()
          this.#step(index, 'complete')
          this.#set({ pace: undefined, converted: undefined })
          return result
        } catch (error) {
          this.#step(index, 'error')
          throw error
        }
      },
      progress: (bytes) => this.#progress(bytes),
      converted: (percent) => this.#set({ converted: percent }),
      waiting: (isWaiting) => {
        const { phase } = this.#states.get()
        if (isWaiting && phase === 'running') this.#set({ phase: 'waiting', pace: undefined })
        if (!isWaiting && phase === 'waiting') {
          this.#pace.restart()
          this.#set({ phase: 'running' })
        }
      },
    }
  }

  #progress(bytes: number): void {
    this.#pace.note(bytes)
    this.#set({ bytes, pace: this.#states.get().phase === 'running' ? this.#pace.measure() : undefined })
  }

  #step(index: number, state: StepState): void {
    this.#set({ steps: this.#states.get().steps.with(index, state) })
  }

  #all(state: StepState): StepState[] {
    return this.flow.labels.map(() => state)
  }

  #fresh(): TaskState {
    const steps = this.#all('ready')
    return {
      phase: 'running',
      steps,
      bytes: 0,
      converted: undefined,
      pace: undefined,
      failure: undefined,
      leftover: undefined,
    }
  }

  #set(change: Partial<TaskState>): void {
    this.#states.set({ ...this.#states.get(), ...change })
  }
}
