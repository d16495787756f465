let last = 'LOAD'

/** Kept by the router; a panel slides in only where a click inside the console opened it. */
export const noteAction = (action: string): void => {
  last = action
}
export const wasPushed = (): boolean => last === 'PUSH'
