import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { restore } from './restore.ts'
import { sample } from './sample.ts'
import { serve } from './serve.ts'

/** All commands by name. */
export const commands = { serve, backup, restore, doctor, sample }

export type CommandName = keyof typeof commands
