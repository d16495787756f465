import type { ControlPlane, Environment } from '@gantry/control-plane/environment'
import type { OperationOf } from '../metrics.ts'

/** The dependencies of the commands, which tests can replace. */
export interface Program {
  version: string
  createControlPlane: (environment: Environment) => ControlPlane
  operationOf: OperationOf
  /** Folder of the built console. */
  consoleDir: string
  /** The program's own files that it starts or copies rather than imports. */
  files: readonly string[]
}
