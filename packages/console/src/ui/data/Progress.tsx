/** Progress, 0 to 100. */
export function Progress({ label, percent }: { label: string; percent: number }) {
  const value = Math.round(Math.min(100, Math.max(0, percent)))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      className="h-1.5 overflow-hidden rounded-[2px] bg-sunken shadow-[inset_0_0_0_1px_var(--line)]"
    >
      <div
        className="gauge-fill h-full bg-accent-edge transition-[width] duration-300"
        style={{ width: `${value}%` }}
      />
    </div>
  )
}
