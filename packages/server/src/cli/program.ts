import type { ControlPlane, Environment } from '@gantry/control-plane/environment'
import type { OperationOf } from '../metrics.ts'

/** What the commands are made of, so that tests can put something simpler in its place. */
export interface Program {
  version: string
  createControlPlane: (environment: Environment) => ControlPlane
  operationOf: OperationOf
  /** Folder of the built console. */
  consoleDir: string
  /** Files of the program itself that it starts or copies rather than imports. */
  files: readonly string[]
}
