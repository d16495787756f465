import { homePath } from '../../data/redirect-uri.ts'

export interface LoginSearch {
  /** The path to return to; checked where it is used. */
  redirect_uri?: string
}

export const loginSearch = ({ redirect_uri }: Record<string, unknown>): LoginSearch =>
  typeof redirect_uri === 'string' ? { redirect_uri } : {}

/** Says that the way back is remembered, where there is one to speak of. */
export function ReturnNote({ to }: { to: string }) {
  if (to === homePath) return null
  return (
    <>
      You return to <span className="font-mono text-[0.8125rem] wrap-anywhere">{to.split('?')[0]}</span> after
      signing in.
    </>
  )
}
