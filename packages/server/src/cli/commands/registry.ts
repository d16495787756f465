import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'

/** Every command by the word that asks for it. */
export const commands = { serve, backup, restore, doctor }

export type CommandName = keyof typeof commands
