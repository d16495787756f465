import { CopyButton } from './CopyButton.tsx'

/** A secret that is shown once, to copy. */
export const SecretText = ({ label, text }: { label: string; text: string }) => (
  <p
    aria-label={label}
    className="flex items-center gap-1 rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] wrap-anywhere text-strong"
  >
    <span className="min-w-0 grow" data-testid="secret">
      {text}
    </span>
    <CopyButton text={text} />
  </p>
)
