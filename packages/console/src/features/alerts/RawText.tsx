/** What was sent or received, to the letter. */
export const RawText = ({ label, text }: { label: string; text: string }) => (
  <div>
    <p className="mb-0.5 text-xs text-muted">{label}</p>
    <pre className="rounded-control border border-line bg-sunken px-2.5 py-1.5 font-mono text-[0.75rem] whitespace-pre-wrap wrap-anywhere text-strong">
      {text}
    </pre>
  </div>
)
