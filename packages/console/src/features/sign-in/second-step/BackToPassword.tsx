/** For whoever finds out at the second step that they are somebody else. */
export const BackToPassword = ({ onBack }: { onBack: () => void }) => (
  <p className="text-sm">
    <button type="button" className="link" onClick={onBack}>
      Sign in as someone else
    </button>
  </p>
)
