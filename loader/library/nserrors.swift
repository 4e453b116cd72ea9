// NSError, and how an error of Swift becomes one. Equality that has to look into two user infos, and hashes, are refused.

import Foundation

@_silgen_name("silvm_refuse") func refuse(_ what: String) -> Never
@_silgen_name("library_error_new") func newError() -> NSError

// An NSError by its stored properties.
struct LibraryError {
  var domain: String
  var code: Int
  var info: [String: Any]?
}
@inline(__always) func fields(_ e: AnyObject) -> UnsafeMutablePointer<LibraryError> { (UnsafeMutableRawPointer(Unmanaged.passUnretained(e).toOpaque()) + 16).assumingMemoryBound(to: LibraryError.self) }
@_silgen_name("library_error_free") public func freeError(_ e: AnyObject) { fields(e).deinitialize(count: 1) }
@_silgen_name("library_10Foundation7NSErrorC6domain4code8userInfoACSS_SiSDySSypGSgtcfc")
public func errorMake(_ domain: __owned String, _ code: Int, _ info: __owned [String: Any]?, _ e: __owned NSError) -> NSError {
  fields(e).initialize(to: LibraryError(domain: domain, code: code, info: info))
  return e
}
func error(_ domain: String, _ code: Int, _ info: [String: Any]) -> NSError { errorMake(domain, code, info, newError()) }

// By its dynamic type alone: what the compiler knows as such a cast calls the function below.
@inline(never) func cast<T>(_ e: Any, _: T.Type) -> T? { type(of: e) is T.Type ? e as? T : nil }
@_silgen_name("library_10Foundation22_convertErrorToNSErroryAA0E0Cs0C0_pF") public func errorObject(_ e: any Error) -> NSError {
  if let object = cast(e, NSError.self) { return object }
  if let custom = e as? any CustomNSError { return error(type(of: custom).errorDomain, custom.errorCode, custom.errorUserInfo) }
  var info: [String: Any] = [:]
  if let local = e as? any LocalizedError {
    if let s = local.errorDescription { info["NSLocalizedDescription"] = s }
    if let s = local.failureReason { info["NSLocalizedFailureReason"] = s }
    if let s = local.recoverySuggestion { info["NSLocalizedRecoverySuggestion"] = s }
    if let s = local.helpAnchor { info["NSHelpAnchor"] = s }
  }
  if e is any RecoverableError { refuse("an NSError of a RecoverableError") }
  return error(e._domain, e._code, info)
}
@_silgen_name("library_10Foundation22_convertNSErrorToErrorys0E0_pAA0C0CSgF") public func errorOf(_ e: NSError?) -> any Error {
  if let e { return e }
  refuse("the error of an NSError that is nil")
}
extension Error {
@_silgen_name("library_s5ErrorP10FoundationE20localizedDescriptionSSvg") public func libraryDescription() -> String { errorObject(self).localizedDescription }
}
extension Error where Self: CustomNSError {
@_silgen_name("library_s5ErrorP10FoundationAC13CustomNSErrorRzrlE5_codeSivg") public func libraryCode() -> Int { errorCode }
@_silgen_name("library_s5ErrorP10FoundationAC13CustomNSErrorRzrlE7_domainSSvg") public func libraryDomain() -> String { Self.errorDomain }
}
extension Error where Self: CustomNSError, Self: RawRepresentable, Self.RawValue: FixedWidthInteger {
@_silgen_name("library_s5ErrorP10FoundationAC13CustomNSErrorRzSYRzs17FixedWidthInteger8RawValueSYRpzrlE5_codeSivg") public func libraryRawCode() -> Int { errorCode }
}
extension CustomNSError {
@_silgen_name("library_10Foundation13CustomNSErrorPAAE11errorDomainSSvgZ") public static func libraryDomainHere() -> String { String(reflecting: self) }
@_silgen_name("library_10Foundation13CustomNSErrorPAAE9errorCodeSivg") public func libraryCodeHere() -> Int { _getDefaultErrorCode(self) }
@_silgen_name("library_10Foundation13CustomNSErrorPAAE13errorUserInfoSDySSypGvg") public func libraryInfo() -> [String: Any] { [:] }
}
extension CustomNSError where Self: RawRepresentable, Self.RawValue: FixedWidthInteger {
@_silgen_name("library_10Foundation13CustomNSErrorPAASYRzs17FixedWidthInteger8RawValueSYRpzrlE9errorCodeSivg") public func libraryRawCodeHere() -> Int {
  Self.RawValue.isSigned ? Int(rawValue) : Int(bitPattern: UInt(rawValue))
}
}
extension LocalizedError {
@_silgen_name("library_10Foundation14LocalizedErrorPAAE16errorDescriptionSSSgvg") public func libraryDescriptionHere() -> String? { nil }
@_silgen_name("library_10Foundation14LocalizedErrorPAAE13failureReasonSSSgvg") public func libraryReason() -> String? { nil }
@_silgen_name("library_10Foundation14LocalizedErrorPAAE18recoverySuggestionSSSgvg") public func librarySuggestion() -> String? { nil }
@_silgen_name("library_10Foundation14LocalizedErrorPAAE10helpAnchorSSSgvg") public func libraryHelp() -> String? { nil }
}

func reason(_ domain: String, _ code: Int) -> String? {
  if domain == "NSPOSIXErrorDomain" { refuse("the text of an error of NSPOSIXErrorDomain") }
  if domain != "NSCocoaErrorDomain" { return nil }
  switch code {
  case 4, 260: return "The file doesn’t exist."
  case 257, 513: return "You don’t have permission."
  case 258, 514: return "The file name is invalid."
  case 261, 517: return "The specified text encoding isn’t applicable."
  case 516: return "A file with the same name already exists."
  case 1024, 2048: return "The value is invalid."
  case 3072: return "The operation was cancelled."
  case 3328: return "The requested operation is not supported."
  case 3840: return "The data is not in the correct format."
  case 4864, 4866: return "The data isn’t in the correct format."
  case 4865: return "The data is missing."
  default: refuse("the text of error \(code) of NSCocoaErrorDomain")
  }
}
extension NSError {
@_silgen_name("library_10Foundation7NSErrorC6domainSSvg") public func libraryDomainOf() -> String { fields(self).pointee.domain }
@_silgen_name("library_10Foundation7NSErrorC4codeSivg") public func libraryCodeOf() -> Int { fields(self).pointee.code }
@_silgen_name("library_10Foundation7NSErrorC8userInfoSDySSypGvg") public func libraryInfoOf() -> [String: Any] { fields(self).pointee.info ?? [:] }
@_silgen_name("library_10Foundation7NSErrorC20localizedDescriptionSSvg") public func libraryText() -> String {
  if let s = userInfo["NSLocalizedDescription"] as? String { return s }
  return "The operation could not be completed. " + (localizedFailureReason ?? "(\(domain) error \(code).)")
}
@_silgen_name("library_10Foundation7NSErrorC22localizedFailureReasonSSSgvg") public func libraryReasonOf() -> String? {
  if let s = userInfo["NSLocalizedFailureReason"] as? String { return s }
  return reason(domain, code)
}
@_silgen_name("library_10Foundation7NSErrorC27localizedRecoverySuggestionSSSgvg") public func librarySuggestionOf() -> String? { userInfo["NSLocalizedRecoverySuggestion"] as? String }
@_silgen_name("library_10Foundation7NSErrorC24localizedRecoveryOptionsSaySSGSgvg") public func libraryOptionsOf() -> [String]? { userInfo["NSLocalizedRecoveryOptions"] as? [String] }
@_silgen_name("library_10Foundation7NSErrorC17recoveryAttempterypSgvg") public func libraryAttempter() -> Any? { userInfo["NSRecoveryAttempter"] }
@_silgen_name("library_10Foundation7NSErrorC10helpAnchorSSSgvg") public func libraryHelpOf() -> String? { userInfo["NSHelpAnchor"] as? String }
@_silgen_name("library_10Foundation7NSErrorC11descriptionSSvg") public func libraryDescriptionOf() -> String {
  if !userInfo.isEmpty { refuse("the description of an NSError with a user info, which only newer releases show") }
  return "Error Domain=\(domain) Code=\(code) \"\(localizedFailureReason ?? "(null)")\""
}
@_silgen_name("library_10Foundation7NSErrorC7isEqualySbypSgF") public func libraryIsEqual(_ other: Any?) -> Bool {
  guard let o = other as? NSError else { return false }
  if o.domain != domain || o.code != code { return false }
  let a = userInfo, b = o.userInfo
  if a.count != b.count { return false }
  for (k, v) in a {
    guard let w = b[k] else { return false }
    guard let s = v as? String, let t = w as? String else { refuse("whether the user infos of two NSErrors are equal") }
    if s != t { return false }
  }
  return true
}
@_silgen_name("library_10Foundation7NSErrorC4copyypyF") public func libraryCopy() -> Any { self }
}

// The keys and domains.
nonisolated(unsafe) var nSUnderlyingErrorKeyText = "NSUnderlyingError"
@_silgen_name("library_10Foundation20NSUnderlyingErrorKeySSvau") public func nSUnderlyingErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSUnderlyingErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSLocalizedDescriptionKeyText = "NSLocalizedDescription"
@_silgen_name("library_10Foundation25NSLocalizedDescriptionKeySSvau") public func nSLocalizedDescriptionKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSLocalizedDescriptionKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSLocalizedFailureReasonErrorKeyText = "NSLocalizedFailureReason"
@_silgen_name("library_10Foundation32NSLocalizedFailureReasonErrorKeySSvau") public func nSLocalizedFailureReasonErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSLocalizedFailureReasonErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSLocalizedRecoverySuggestionErrorKeyText = "NSLocalizedRecoverySuggestion"
@_silgen_name("library_10Foundation37NSLocalizedRecoverySuggestionErrorKeySSvau") public func nSLocalizedRecoverySuggestionErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSLocalizedRecoverySuggestionErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSLocalizedRecoveryOptionsErrorKeyText = "NSLocalizedRecoveryOptions"
@_silgen_name("library_10Foundation34NSLocalizedRecoveryOptionsErrorKeySSvau") public func nSLocalizedRecoveryOptionsErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSLocalizedRecoveryOptionsErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSRecoveryAttempterErrorKeyText = "NSRecoveryAttempter"
@_silgen_name("library_10Foundation27NSRecoveryAttempterErrorKeySSvau") public func nSRecoveryAttempterErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSRecoveryAttempterErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSHelpAnchorErrorKeyText = "NSHelpAnchor"
@_silgen_name("library_10Foundation20NSHelpAnchorErrorKeySSvau") public func nSHelpAnchorErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSHelpAnchorErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSDebugDescriptionErrorKeyText = "NSDebugDescription"
@_silgen_name("library_10Foundation26NSDebugDescriptionErrorKeySSvau") public func nSDebugDescriptionErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSDebugDescriptionErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSStringEncodingErrorKeyText = "NSStringEncodingErrorKey"
@_silgen_name("library_10Foundation24NSStringEncodingErrorKeySSvau") public func nSStringEncodingErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSStringEncodingErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSURLErrorKeyText = "NSURL"
@_silgen_name("library_10Foundation13NSURLErrorKeySSvau") public func nSURLErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSURLErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSFilePathErrorKeyText = "NSFilePath"
@_silgen_name("library_10Foundation18NSFilePathErrorKeySSvau") public func nSFilePathErrorKeyAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSFilePathErrorKeyText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSCocoaErrorDomainText = "NSCocoaErrorDomain"
@_silgen_name("library_10Foundation18NSCocoaErrorDomainSSvau") public func nSCocoaErrorDomainAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSCocoaErrorDomainText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSPOSIXErrorDomainText = "NSPOSIXErrorDomain"
@_silgen_name("library_10Foundation18NSPOSIXErrorDomainSSvau") public func nSPOSIXErrorDomainAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSPOSIXErrorDomainText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSOSStatusErrorDomainText = "NSOSStatusErrorDomain"
@_silgen_name("library_10Foundation21NSOSStatusErrorDomainSSvau") public func nSOSStatusErrorDomainAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSOSStatusErrorDomainText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSMachErrorDomainText = "NSMachErrorDomain"
@_silgen_name("library_10Foundation17NSMachErrorDomainSSvau") public func nSMachErrorDomainAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSMachErrorDomainText) { UnsafeMutableRawPointer($0) } }
nonisolated(unsafe) var nSURLErrorDomainText = "NSURLErrorDomain"
@_silgen_name("library_10Foundation16NSURLErrorDomainSSvau") public func nSURLErrorDomainAddress() -> UnsafeMutableRawPointer { withUnsafeMutablePointer(to: &nSURLErrorDomainText) { UnsafeMutableRawPointer($0) } }
