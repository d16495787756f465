/** The commands of those who run a server, by which the program decides what to load. */
export const serverCommands = ['serve', 'backup', 'restore', 'doctor', 'fleet', 'sample'] as const
export type CommandName = (typeof serverCommands)[number]

export const isServerCommand = (word: string | undefined): word is CommandName =>
  serverCommands.some((name) => name === word)
