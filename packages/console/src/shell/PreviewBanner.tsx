/** Only where the control plane runs inside the page. Above the foot, whose buttons it must not cover. */
export function PreviewBanner() {
  return (
    <div className="pointer-events-none fixed right-4 bottom-18 z-(--layer-beam) rounded-control border border-busy-edge bg-busy-tint px-3 py-1.5 text-sm text-busy-text">
      Preview: what you create here is gone when the page is reloaded.
    </div>
  )
}
