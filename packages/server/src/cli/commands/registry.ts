import type { CommandName } from '../command-names.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { fleet } from './fleet.ts'
import { restore } from './restore.ts'
import { sample } from './sample.ts'
import { serve } from './serve.ts'

/** All commands by name. */
export const commands = { serve, backup, restore, doctor, fleet, sample } satisfies Record<
  CommandName,
  unknown
>
