package index

import "testing"

func TestDefinitionsCompiled(t *testing.T) {
	checkDefinitions(t, "a.go", []definitionCase{
		{"func NewReader(rd io.Reader) *Reader {", "NewReader"},
		{"func (b *Reader) ReadByte() (byte, error) {", "ReadByte"},
		{"func (t *Tree[K, V]) Get(key K) (V, bool) {", "Get"},
		{"func Map[T, U any](in []T, f func(T) U) []U {", "Map"},
		{"type Reader struct {", "Reader"},
		{"type ID = uuid.UUID", "ID"},
		{"var ErrClosed = errors.New(\"closed\")", "ErrClosed"},
		{"var a, b int", "a|b"},
		{"const MaxSize = 1 << 20", "MaxSize"},
		{"\tStatusOK = 200 // RFC 9110", "StatusOK"},
		{"\tModeDir FileMode = 1 << iota", "ModeDir"},
		{"\tHandler interface {", "Handler"},
		{"const (", ""}, {"package bufio", ""}, {"\tvar x int", ""},
		{"\tfunc() error {", ""}, {"\treturn func(x int) int {", ""}, {"\tif Name == \"\" {", ""},
		{"\tName string", ""}, {"\tsync.Mutex", ""}, {"// func Old() {", ""}, {"\t\tStatus = 3", ""}, {"}", ""},
	})
	checkDefinitions(t, "go.mod", []definitionCase{
		{"module example.com/shop/orders", "example.com/shop/orders"}, {"go 1.26", ""}, {"require x v1", ""},
	})
	checkDefinitions(t, "a.rs", []definitionCase{
		{"pub fn parse(input: &str) -> Result<Ast> {", "parse"},
		{"    pub(crate) async fn fetch(&self) {", "fetch"},
		{"pub(in crate::a) unsafe extern \"C\" fn raw() {", "raw"},
		{"const fn zero() -> u8 { 0 }", "zero"},
		{"impl<T: Clone> Iterator for Chunks<'_, T> {", "Chunks"},
		{"impl fmt::Display for crate::Money {", "Money"},
		{"impl Order {", "Order"},
		{"pub struct Order<'a> {", "Order"}, {"pub enum State {", "State"}, {"unsafe trait Zeroed {", "Zeroed"},
		{"pub type Result<T> = std::result::Result<T, Error>;", "Result"},
		{"pub const LIMIT: usize = 10;", "LIMIT"}, {"static mut COUNT: u32 = 0;", "COUNT"},
		{"macro_rules! matches {", "matches"}, {"pub mod store;", "store"},
		{"    Pending,", "Pending"}, {"#[inline] pub fn fast(x: u8) -> u8 { x }", "fast"}, {"#[derive(Debug)]", ""},
		{"    let parse = 3;", ""}, {"    parse(input)?;", ""}, {"pub use crate::store;", ""}, {"    match x {", ""},
		{"    println!(\"fn x\");", ""}, {"// fn old()", ""}, {"const _: () = ();", ""},
	})
	checkDefinitions(t, "a.zig", []definitionCase{
		{"pub fn main() !void {", "main"}, {"const std = @import(\"std\");", "std"},
		{"    pub const Node = struct {", "Node"}, {"    const x = 3;", ""}, {"    return foo(x);", ""},
	})
	checkDefinitions(t, "a.nim", []definitionCase{
		{"proc parseOrder*(s: string): Order =", "parseOrder"}, {"template withLock(x) =", "withLock"},
		{"  Order* = object", "Order"}, {"const limit = 3", "limit"}, {"  echo order", ""}, {"  let x = 3", ""},
	})
	checkDefinitions(t, "a.c", []definitionCase{
		{"static int parse_line(const char *s, size_t n)", "parse_line"},
		{"struct node *list_head(struct list *l) {", "list_head"},
		{"main (int argc, char **argv)", "main"},
		{"struct node {", "node"}, {"enum color", "color"}, {"typedef struct node node_t;", "node_t"},
		{"typedef int (*compare_fn)(const void *, const void *);", "compare_fn"},
		{"typedef void (GL_APIENTRYP DRAW_PROC) (GLuint index, int n);", "DRAW_PROC"}, {"typedef void *(*alloc_fn)(size_t);", "alloc_fn"},
		{"typedef void *MACRO alloc_t(size_t size);", "alloc_t"},
		{"typedef unsigned char byte[16];", "byte"}, {"typedef struct pair {", "pair"},
		{"} node_t;", "node_t"}, {"#define MAX_LEN 10", "MAX_LEN"}, {"#  define MIN(a, b) ((a) < (b))", "MIN"},
		{"static const char *names[] = {", "names"}, {"int counter;", "counter"}, {"\tCOLOR_RED = 1,", "COLOR_RED"},
		{"\tCOLOR_BLUE,", "COLOR_BLUE"},
		{"int parse_line(const char *s, size_t n);", ""}, {"struct node;", ""}, {"extern int counter;", ""},
		{"\treturn parse_line(s, n);", ""}, {"\tif (x) {", ""}, {"\tfoo(bar);", ""}, {"EXPORT_SYMBOL(foo)", ""},
		{"#include <stdio.h>", ""}, {"   the macros may (or may not) expose details, if you", ""},
		{"released whenever their destructor gets called (cf. the", ""}, {"PyAPI_FUNC(Obj *) Obj_Init(Obj *,", ""}, {"with PyObject_{New, Del} are used", ""}, {"} else {", ""}, {" * int f(void) {", ""}, {"/* int f(void) */", ""}, {"}", ""}, {"\tint x = 3;", ""},
	})
	checkDefinitions(t, "a.cpp", []definitionCase{
		{"void Parser::run(const Options& o) {", "run"}, {"Parser::Parser(int n) : n_(n) {", "Parser"},
		{"Parser::~Parser() {", "Parser"}, {"class API_EXPORT Widget : public Base {", "Widget"}, {"enum class Mode : int {", "Mode"},
		{"  int size() const { return n_; }", "size"}, {"  std::vector<std::pair<int, int>> pairs(int n) override {", "pairs"},
		{"template <typename T> T clamp(T v, T lo) {", "clamp"}, {"template <class T> struct Box {", "Box"},
		{"using Handler = std::function<void()>;", "Handler"}, {"  static constexpr int kLimit = 3;", "kLimit"},
		{"concept Number = std::is_arithmetic_v<T>;", "Number"},
		{"using namespace std;", ""}, {"namespace shop {", ""}, {"  return f(x);", ""}, {"  std::move(x);", ""}, {"  auto x = f(1);", ""},
		{"  Foo bar(x);", ""}, {"  a * b(x) +", ""}, {"  for (auto& x : xs) {", ""}, {"public:", ""}, {"  const int n = 3;", ""},
	})
	checkDefinitions(t, "a.m", []definitionCase{
		{"@interface Order : NSObject", "Order"}, {"@implementation Order", "Order"},
		{"- (void)addLine:(Line *)line count:(int)n {", "addLine"}, {"+ (instancetype)order {", "order"},
		{"@property (nonatomic, copy) NSString *title;", "title"}, {"@end", ""}, {"    [self addLine:x];", ""},
	})
}

func TestDefinitionsCurly(t *testing.T) {
	checkDefinitions(t, "A.java", []definitionCase{
		{"public final class OrderService implements Service {", "OrderService"}, {"public @interface Limit {", "Limit"},
		{"    public OrderService(Store store) {", "OrderService"},
		{"    private static <T> List<T> copy(Collection<T> from) throws IOException {", "copy"},
		{"    Order find(String id);", "find"}, {"    @Override public String toString() {", "toString"},
		{"    private final Map<String, Order> orders = new HashMap<>();", "orders"}, {"    int[] sizes(int n) {", "sizes"},
		{"    public static final int LIMIT = 3;", "LIMIT"}, {"    PENDING(\"p\"),", "PENDING"}, {"    PAID,", "PAID"},
		{"public record Line(String sku, int count) {", "Line"},
		{"        return find(id);", ""}, {"        find(id);", ""}, {"        new Order(id);", ""}, {"        if (x) {", ""},
		{"        } else if (find(x)) {", ""}, {"        Order o = find(id);", ""}, {"    @Test(timeout = 3)", ""}, {"    @Bean(\"x\") Order order(Store s) {", "order"}, {"@Entity public class Item {", "Item"},
		{"        synchronized (lock) {", ""}, {"        throw new IllegalStateException(x);", ""}, {"import java.util.List;", ""},
		{"     * Order find(String id) {", ""}, {"        order.total(x);", ""},
	})
	checkDefinitions(t, "A.cs", []definitionCase{
		{"public sealed partial class Cart : ICart", "Cart"}, {"    public int Count { get; private set; }", "Count"},
		{"    protected override async Task<Order> LoadAsync(int id)", "LoadAsync"}, {"    public decimal Total => lines.Sum();", "Total"},
		{"public delegate void Changed(object sender);", "Changed"}, {"    public event EventHandler Paid;", "Paid"},
		{"    [HttpGet(\"x\")] public Order Get(int id) => null;", "Get"}, {"    [Fact]", ""}, {"            select new Line(x);", ""},
		{"public readonly record struct Money(decimal Amount);", "Money"}, {"    private const int Limit = 3;", "Limit"},
		{"namespace Shop;", ""}, {"        await LoadAsync(3);", ""}, {"        foreach (var x in xs)", ""}, {"        var x = Load(3);", ""},
	})
	checkDefinitions(t, "a.kt", []definitionCase{
		{"suspend fun <T> List<T>.second(): T = this[1]", "second"}, {"data class Order(val id: String)", "Order"},
		{"private const val LIMIT = 3", "LIMIT"}, {"    override fun toString() = name", "toString"},
		{"object Registry {", "Registry"}, {"@Test fun empties() {", "empties"}, {"@Serializable(with = X::class) data class Row(val id: Int)", "Row"}, {"sealed interface Event", "Event"}, {"enum class State {", "State"},
		{"    PENDING,", "PENDING"}, {"    private val lines: List<Line> = listOf()", "lines"}, {"typealias Ids = List<String>", "Ids"},
		{"    val x = 3", ""}, {"    return second()", ""}, {"    if (x) {", ""}, {"    companion object {", ""},
	})
	checkDefinitions(t, "a.scala", []definitionCase{
		{"case class Order(id: String)", "Order"}, {"  override def total: BigDecimal =", "total"}, {"object Main extends App {", "Main"},
		{"  private lazy val cache = Map()", "cache"}, {"  private[this] def hidden(x: Int) = x", "hidden"}, {"  @tailrec final def loop(n: Int): Int =", "loop"}, {"  @deprecated", ""}, {"    case Some(x) =>", ""}, {"    val y = 3", ""},
	})
	checkDefinitions(t, "a.swift", []definitionCase{
		{"public final class Cart: ObservableObject {", "Cart"}, {"@inlinable public func fold() {", "fold"}, {"@available(iOS 13, *) struct Row: View {", "Row"}, {"    @objc func tap(_ sender: Any) {", "tap"},
		{"extension Cart: Codable {", "Cart"}, {"    case pending, paid(Date)", "pending|paid"}, {"    static let shared = Cart()", "shared"},
		{"    class func make() -> Cart {", "make"}, {"    case .pending:", ""}, {"    guard let x = y else { return }", ""}, {"    let z = 3", ""},
	})
	checkDefinitions(t, "a.dart", []definitionCase{
		{"abstract class Shape {", "Shape"}, {"void main() {", "main"}, {"  double area(double scale);", "area"},
		{"  static const int limit = 3;", "limit"}, {"  Future<void> load() async {", "load"},
		{"    return area(3);", ""}, {"    child: Text(name),", ""}, {"    final x = area(3);", ""},
	})
	checkDefinitions(t, "build.gradle", []definitionCase{
		{"def version(String x) {", "version"}, {"task copyDocs(type: Copy) {", "copyDocs"}, {"class Plugin {", "Plugin"},
		{"plugins {", ""}, {"apply(plugin: 'java')", ""}, {"    implementation 'x:y:1'", ""},
	})
}

func TestDefinitionsScript(t *testing.T) {
	checkDefinitions(t, "a.py", []definitionCase{
		{"class Order(Base):", "Order"}, {"    async def fetch(self, id: str) -> Order:", "fetch"}, {"def main():", "main"},
		{"LIMIT = 3", "LIMIT"}, {"logger: Logger = get()", "logger"}, {"    PAID = \"paid\"", "PAID"},
		{"    total = 3", ""}, {"@app.route(\"/\")", ""}, {"    return fetch(x)", ""}, {"if x == 3:", ""}, {"for x in y:", ""},
		{"import os", ""}, {"print(x)", ""}, {"# def old():", ""}, {"x == 3", ""}, {"    name=name,", ""},
	})
	checkDefinitions(t, "a.rb", []definitionCase{
		{"class Shop::Order < Base", "Order"}, {"  def self.find(id)", "find"}, {"  def paid?", "paid?"}, {"module Shop", "Shop"},
		{"  attr_reader :id, :lines", "id|lines"}, {"  LIMIT = 3", "LIMIT"}, {"  has_many :lines, dependent: :destroy", "lines"},
		{"  private def total", "total"}, {"  define_method(:x) do", "x"},
		{"  find(id)", ""}, {"  x = 3", ""}, {"  class << self", ""}, {"  return x", ""}, {"require 'x'", ""}, {"  end", ""},
	})
	checkDefinitions(t, "a.php", []definitionCase{
		{"final class Order extends Base", "Order"}, {"    public static function find(int $id): ?Order", "find"},
		{"    private const LIMIT = 3;", "LIMIT"}, {"define('VERSION', '1');", "VERSION"}, {"function &ref() {", "ref"},
		{"    return find(3);", ""}, {"    $x = function ($y) {", ""}, {"namespace Shop\\Orders;", ""}, {"    foreach ($a as $b) {", ""},
	})
	checkDefinitions(t, "a.pl", []definitionCase{
		{"sub parse_line {", "parse_line"}, {"package Shop::Order;", "Order"}, {"use constant LIMIT => 3;", "LIMIT"},
		{"our $VERSION = '1';", "VERSION"}, {"use strict;", ""}, {"    my $x = 3;", ""}, {"    return parse_line($x);", ""},
	})
	checkDefinitions(t, "a.lua", []definitionCase{
		{"function M.parse(s)", "parse"}, {"function Order:total()", "total"}, {"local function helper()", "helper"},
		{"M.find = function(id)", "find"}, {"local LIMIT = 3", "LIMIT"}, {"  local x = 3", ""}, {"  return parse(s)", ""},
		{"  if x then", ""}, {"-- function old()", ""}, {"  parse(s)", ""},
	})
	checkDefinitions(t, "a.R", []definitionCase{
		{"fit.model <- function(x, y) {", "fit.model"}, {"limit <- 3", "limit"}, {"  inner = function(x) {", "inner"},
		{"setClass(\"Order\", representation())", "Order"}, {"  x <- 3", ""}, {"  fit.model(x)", ""}, {"if (x) {", ""},
	})
	checkDefinitions(t, "a.jl", []definitionCase{
		{"function Base.show(io::IO, o::Order)", "show"}, {"mutable struct Order{T} <: Base", "Order"}, {"area(r) = pi * r^2", "area"},
		{"macro time!(x)", "time!"}, {"const LIMIT = 3", "LIMIT"}, {"abstract type Shape end", "Shape"},
		{"    area(3)", ""}, {"for i in 1:3", ""}, {"    x = 3", ""},
	})
	checkDefinitions(t, "a.awk", []definitionCase{{"function max(a, b) {", "max"}, {"{ print $1 }", ""}})
	checkDefinitions(t, "a.sh", []definitionCase{
		{"build_all() {", "build_all"}, {"log::info() {", "log::info"}, {"function deploy {", "deploy"}, {"LIMIT=3", "LIMIT"}, {"export PATH=/bin", "PATH"},
		{"readonly -r NAME=x", "NAME"}, {"alias ll='ls -l'", "ll"}, {"  build_all", ""}, {"if [ -z \"$x\" ]; then", ""},
		{"  local x=3", ""}, {"  x=3", ""}, {"# old() {", ""}, {"echo x=3", ""}, {"for f in *; do", ""},
	})
	checkDefinitions(t, "a.fish", []definitionCase{
		{"function fish_prompt", "fish_prompt"}, {"set -g limit 3", "limit"}, {"    echo x", ""},
	})
	checkDefinitions(t, "a.ps1", []definitionCase{
		{"function Get-Order {", "Get-Order"}, {"Class Cart {", "Cart"}, {"$Limit = 3", "Limit"}, {"    Get-Order 3", ""}, {"if ($x) {", ""},
	})
	checkDefinitions(t, "a.bat", []definitionCase{
		{":build", "build"}, {"SET LIMIT=3", "LIMIT"}, {":: note", ""}, {"goto build", ""}, {"REM set X=3", ""},
	})
}

func TestDefinitionsFunctional(t *testing.T) {
	checkDefinitions(t, "a.ex", []definitionCase{
		{"defmodule Shop.Order do", "Order"}, {"  def total(%Order{} = o), do: 3", "total"}, {"  defp valid?(x) do", "valid?"},
		{"  @type t :: %__MODULE__{}", "t"}, {"  defmacro unless!(x) do", "unless!"}, {"    total(x)", ""}, {"    if x do", ""}, {"  alias Shop.Line", ""},
	})
	checkDefinitions(t, "a.erl", []definitionCase{
		{"-module(order).", "order"}, {"-record(line, {sku, count}).", "line"}, {"-define(LIMIT, 3).", "LIMIT"},
		{"total(Lines) ->", "total"}, {"-type id() :: binary().", "id"}, {"    total(Lines).", ""}, {"-export([total/1]).", ""}, {"% total(X) ->", ""},
	})
	checkDefinitions(t, "a.hs", []definitionCase{
		{"parseOrder :: Text -> Either Error Order", "parseOrder"}, {"data Order = Order", "Order"}, {"class (Eq a) => Shape a where", "Shape"},
		{"newtype Id = Id Int", "Id"}, {"type family Elem c", "Elem"}, {"module Data.Order (total) where", "Order"},
		{"  , lineCount :: Int", "lineCount"}, {"a, b' :: Int", "a|b'"}, {"  let x = 3", ""}, {"import Data.Map", ""}, {"-- total :: Int", ""},
	})
	checkDefinitions(t, "a.ml", []definitionCase{
		{"let rec total lines =", "total"}, {"type 'a tree = Leaf", "tree"}, {"type ('k, 'v) map =", "map"}, {"module type S = sig", "S"},
		{"exception Not_paid of string", "Not_paid"}, {"val find : string -> order", "find"}, {"  let x = 3 in", ""}, {"let () = main ()", ""}, {"  match x with", ""},
	})
	checkDefinitions(t, "a.fs", []definitionCase{
		{"let inline total lines =", "total"}, {"type Order =", "Order"}, {"    member this.Total = 3", "Total"}, {"module Shop.Orders", "Orders"}, {"    let x = 3", ""},
	})
	checkDefinitions(t, "a.clj", []definitionCase{
		{"(defn- total [lines]", "total"}, {"(ns shop.order", "shop.order"}, {"(def ^:private limit 3)", "limit"},
		{"(defmethod ^{:x 1} area :circle", "area"}, {"(defrecord Order [id])", "Order"}, {"  (total lines)", ""}, {"; (defn old)", ""},
	})
	checkDefinitions(t, "a.el", []definitionCase{
		{"(defun shop-total (lines)", "shop-total"}, {"(defvar shop-limit 3", "shop-limit"}, {"(define-minor-mode shop-mode", "shop-mode"}, {"(cl-defstruct (order) id)", "order"}, {"  (setq x 3)", ""},
	})
	checkDefinitions(t, "a.scm", []definitionCase{
		{"(define (total lines)", "total"}, {"(define limit 3)", "limit"}, {"(define-syntax while!", "while!"}, {"(total x)", ""},
	})
}
