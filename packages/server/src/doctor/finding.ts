/** The result of one check. */
export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  message: string
  /** What to do about it. */
  advice?: string
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message })
export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'warning',
  message,
  advice,
})
export const problem = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'problem',
  message,
  advice,
})
