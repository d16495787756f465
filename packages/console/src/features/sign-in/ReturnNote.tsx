import { homePath } from '../../data/redirect-uri.ts'

/** Says that the way back is remembered, where there is one to speak of. */
export function ReturnNote({ to }: { to: string }) {
  if (to === homePath) return null
  return (
    <>
      You will return to <span className="font-mono text-[0.8125rem] wrap-anywhere">{to.split('?')[0]}</span>{' '}
      after signing in.
    </>
  )
}
