import { Button } from '#/ui/Button.tsx'
import { useCopied } from '#/ui/CopyButton.tsx'

/** Shown once, for the user to keep elsewhere. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const [isCopied, copy] = useCopied()
  return (
    <>
      <p className="text-muted">
        Each code signs you in once without your second factor. Store them somewhere safe; they are not shown
        again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-x-4 gap-y-1 rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] text-strong"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button block size="lg" onClick={() => void copy(codes.join('\n'))}>
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy all'}</span>
      </Button>
    </>
  )
}
