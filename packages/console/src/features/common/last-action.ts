let last = 'LOAD'

/** Set by the router. A panel slides in only if a click inside the console opened it. */
export const recordAction = (action: string): void => {
  last = action
}
export const wasPushed = (): boolean => last === 'PUSH'
