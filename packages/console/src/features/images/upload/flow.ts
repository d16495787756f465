import type { Control } from './control.ts'

/** What a way of uploading is given while it runs. */
export interface FlowRun {
  control: Control
  /** Does the step of this number: its state follows how that ends. */
  step: <Result>(index: number, work: () => Promise<Result>) => Promise<Result>
  /** Bytes that are dealt with so far, whether they had to be sent or not. */
  progress: (bytes: number) => void
  /** The server cannot be reached at the moment, or can again. */
  waiting: (isWaiting: boolean) => void
}

/** A way of uploading an image. */
export interface Flow {
  /** What is done, step by step; the last one is the good end and does nothing. */
  labels: readonly string[]
  /** The step that carries the bytes. */
  bytesStep: number
  /** The step in which it can no longer be cancelled, if there is one. */
  finalStep?: number
  /** It can be paused, and tried again after a failure without sending everything again. */
  goesOn: boolean
  /** The upload on the server, as far as there is one that goes on. */
  uploadId: () => string | undefined
  run: (cx: FlowRun) => Promise<void>
  /** Takes away what it has made so far; says what there is where that fails. */
  cleanUp: () => Promise<void>
  leavings: () => string
}
