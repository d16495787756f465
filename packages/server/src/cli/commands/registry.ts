import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { fleet } from './fleet.ts'
import { restore } from './restore.ts'
import { sample } from './sample.ts'
import { serve } from './serve.ts'

/** All commands by name. */
export const commands = { serve, backup, restore, doctor, fleet, sample }

export type CommandName = keyof typeof commands
