import type { Control } from './control.ts'

/** Callbacks of a running upload. */
export interface FlowRun {
  control: Control
  /** Runs the step with this index; its state follows from the result. */
  step: <Result>(index: number, work: () => Promise<Result>) => Promise<Result>
  /** Bytes processed so far, whether sent or skipped. */
  progress: (bytes: number) => void
  /** Whether the server is unreachable at the moment. */
  waiting: (isWaiting: boolean) => void
}

/** An upload method. */
export interface Flow {
  /** Labels of the steps; the last is the successful end and does nothing. */
  labels: readonly string[]
  /** The step that transfers the bytes. */
  bytesStep: number
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
